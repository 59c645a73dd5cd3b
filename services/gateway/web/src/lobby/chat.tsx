/** The chat of a room: `lobby`, or a table's id. */
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ChatService, type ChatMessage } from "#protos/tavolo/chat/v1/chat_pb";
import { Broken } from "../net/socket";
import { client } from "../state/here";
import { lang, t } from "../texts";
import { wordsOf } from "../texts/errors";
import { Button } from "../ui";
import { merge, readHistory } from "./history";
import { isMe } from "./seats";
import "./chat.css";

const LONGEST = 300;
/** So near to the end, in pixels, the newest message is kept in sight. */
const NEAR_END = 48;

export function Chat({ room }: { room: string }) {
  const said = client.chat.value.get(room) ?? [];
  const isOpen = client.link.value === "open";
  const note = useId();
  const [fault, setFault] = useState("");
  useEffect(() => {
    if (isOpen) void readHistory(room).catch((error: unknown) => setFault(wordsOf(error)));
  }, [room, isOpen]);
  return (
    <div class="chat">
      <Said messages={said} room={room} />
      <Say room={room} note={note} onFault={setFault} />
      <p id={note} class="soft small">
        {t("chat_recorded")}
      </p>
      <p class="wrong small" role="alert">
        {fault}
      </p>
    </div>
  );
}

function Said({ messages, room }: { messages: readonly ChatMessage[]; room: string }) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [messages, room]);
  return (
    <div
      class="chat-said"
      ref={list}
      role="log"
      aria-label={t(room === "lobby" ? "chat_room" : "chat_table")}
      tabIndex={0}
      onScroll={({ currentTarget: box }) => {
        atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
      }}
    >
      {messages.length === 0 && <p class="soft">{t("chat_empty")}</p>}
      {messages.map((message) => (
        <p key={String(message.number)} class={isMe(message.account) ? "own" : ""}>
          <b>{message.nickname}</b> <Time of={message} />
          <span class="chat-text">{message.text}</span>
        </p>
      ))}
    </div>
  );
}

function Time({ of: { time } }: { of: ChatMessage }) {
  if (!time) return null;
  const at = timestampDate(time);
  const short = at.toLocaleTimeString(lang.value, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return (
    <time class="soft small" dateTime={at.toISOString()}>
      {short}
    </time>
  );
}

function Say({ room, note, onFault }: { room: string; note: string; onFault: (words: string) => void }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  // The same words again after a broken connection are the same message.
  const id = useRef(crypto.randomUUID());
  const input = useId();

  async function send() {
    if (!text.trim() || busy) return;
    setBusy(true);
    onFault("");
    try {
      const { message } = await client.rpc(ChatService.method.say, { room, text: text.trim(), messageId: id.current });
      if (message) merge(room, [message]);
      setText("");
      id.current = crypto.randomUUID();
    } catch (error) {
      if (!(error instanceof Broken)) id.current = crypto.randomUUID();
      onFault(t("chat_failed", { why: wordsOf(error) }));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      class="chat-say"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="unseen" for={input}>
        {t("chat_say")}
      </label>
      <input
        id={input}
        class="entry"
        value={text}
        maxLength={LONGEST}
        autoComplete="off"
        enterKeyHint="send"
        placeholder={t("chat_say")}
        aria-describedby={note}
        onInput={(event) => {
          setText(event.currentTarget.value);
          id.current = crypto.randomUUID();
        }}
      />
      <Button type="submit" busy={busy}>
        {t("chat_send")}
      </Button>
    </form>
  );
}
