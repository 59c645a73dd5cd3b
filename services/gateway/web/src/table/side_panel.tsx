/** Beside the felt: the chat of the table, and what has happened. */
import { useState } from "preact/hooks";
import { Chat } from "../lobby/chat";
import { say } from "./says";

export function SidePanel({ room, lines }: { room: string; lines: readonly string[] }) {
  const [open, setOpen] = useState<"chat" | "log">("log");
  return (
    <aside class="side-panel" aria-label={say("panel")}>
      <div class="tabs" role="tablist">
        {(["log", "chat"] as const).map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-controls="side-page"
            aria-selected={open === tab}
            tabIndex={open === tab ? 0 : -1}
            onClick={() => setOpen(tab)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
              const other = tab === "log" ? "chat" : "log";
              setOpen(other);
              document.getElementById(`tab-${other}`)?.focus();
            }}
          >
            {say(tab)}
          </button>
        ))}
      </div>
      <div id="side-page" role="tabpanel" aria-labelledby={`tab-${open}`} tabIndex={0}>
        {open === "chat" ? <Chat room={room} /> : <Log lines={lines} />}
      </div>
    </aside>
  );
}

/** The newest on top: what a player looks for. */
function Log({ lines }: { lines: readonly string[] }) {
  return (
    <div role="log" aria-live="off" aria-label={say("log")}>
      <ol class="log">
        {lines.map((line, at) => (
          <li key={lines.length - at}>{line}</li>
        ))}
      </ol>
    </div>
  );
}
