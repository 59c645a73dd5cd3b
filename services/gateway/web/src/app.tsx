/** The page: who is not signed in stands at the door, everybody else is in the room or at a table. */
import { useEffect, useRef } from "preact/hooks";
import type { MatchStarted } from "#protos/tavolo/gateway/v1/gateway_pb";
import { AtTable } from "./lobby/at_table";
import { LinkBanner } from "./lobby/banner";
import { gameName } from "./lobby/games";
import { Header } from "./lobby/header";
import { Room } from "./lobby/room";
import { lookMine, mine } from "./lobby/seats";
import { SignIn } from "./lobby/sign_in";
import { goToTable, route, type Route } from "./route";
import { client } from "./state/here";
import { t } from "./texts";
import { LiveRegion, toast, Toasts } from "./ui";

export function App() {
  const main = useRef<HTMLElement>(null);
  const place = route.value;
  const signedOut = client.identity.value === null;
  useFocusOnArrival(main, place, signedOut);
  useStarts();
  return (
    <div class={signedOut ? "shell at-door" : "shell"}>
      <a
        class="button primary skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // the part after # is the place in Tavolo
          main.current?.focus();
        }}
      >
        {t("skip")}
      </a>
      <Header />
      <LinkBanner />
      <main id="main" ref={main} tabIndex={-1}>
        {signedOut ? <SignIn /> : <Page place={place} />}
      </main>
      <Toasts />
      <LiveRegion />
    </div>
  );
}

function Page({ place }: { place: Route }) {
  return place.page === "room" ? <Room /> : <AtTable key={`${place.id}.${place.watch}`} {...place} />;
}

/** A new place is read from its beginning. */
function useFocusOnArrival(main: { current: HTMLElement | null }, place: Route, signedOut: boolean): void {
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) main.current?.focus({ preventScroll: true });
    arrived.current = true;
    scrollTo(0, 0);
  }, [place, signedOut]);
}

/** Who is elsewhere when the own match begins is called to the table. */
function useStarts(): void {
  const notice = client.notice.value;
  useEffect(() => {
    if (notice?.kind.case === "matchStarted") void callTo(notice.kind.value);
  }, [notice]);
}

async function callTo({ table }: MatchStarted): Promise<void> {
  const place = route.value;
  if (place.page === "table" && place.id === table) return;
  await lookMine();
  const started = mine.value?.find((each) => each.id === table);
  if (started)
    toast(t("started", { game: gameName(started.game) }), { text: t("resume"), run: () => goToTable(table) });
}
