/** A table as the list shows it. */
import { RoomState, type RoomSeat, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { hrefOf } from "../route";
import { t } from "../texts";
import { Button } from "../ui";
import { Chair, Clock, Computer, Eye, Person } from "../ui/icons";
import { Amount } from "./amount";
import { Emblem } from "./emblem";
import { gameName, gameOf } from "./games";
import { sitDown } from "./open";
import { inShort } from "./options";
import { freeSeats, isMe, seatAt } from "./seats";

export function TableCard({ table }: { table: Table }) {
  const game = gameOf(table.game);
  return (
    <li class="table-card panel">
      <span class="table-emblem">
        <Emblem game={table.game} />
      </span>
      <div class="table-what">
        <h3>
          {gameName(table.game)} <StateBadge table={table} />
        </h3>
        <p class="soft small">{game && inShort(game, table.options).join(" · ")}</p>
      </div>
      <ul class="table-seats">
        {table.seats.map((seat, at) => (
          <SeatName key={at} seat={seat} />
        ))}
      </ul>
      <p class="table-terms small">
        <Terms table={table} />
      </p>
      <div class="table-act">
        <Way table={table} />
      </div>
    </li>
  );
}

function StateBadge({ table }: { table: Table }) {
  if (table.state === RoomState.OPEN) return <span class="badge open">{t("badge_open", { n: freeSeats(table) })}</span>;
  if (table.state === RoomState.STARTING) return <span class="badge">{t("badge_starting")}</span>;
  return <span class="badge">{t(table.state === RoomState.PLAYING ? "badge_playing" : "badge_closed")}</span>;
}

function SeatName({ seat }: { seat: RoomSeat }) {
  if (!seat.account) {
    return (
      <li class="seat-name free">
        <Chair />
        <span class="unseen">{t("seat_free")}</span>
      </li>
    );
  }
  return (
    <li class="seat-name">
      {seat.computer ? <Computer /> : <Person />}
      <span>{seat.nickname}</span>
      {isMe(seat.account) && <b>({t("you")})</b>}
    </li>
  );
}

/** What it is played for, and how fast. */
export function Terms({ table }: { table: Table }) {
  const { stake, chip } = table;
  return (
    <>
      {stake && stake.cents > 0n ? (
        <span class="term">
          {t("stake", { amount: "" })}
          <Amount cents={stake.cents} />
        </span>
      ) : (
        <span class="term">{t("for_nothing")}</span>
      )}
      {chip && chip.cents > 0n && (
        <span class="term">
          {t("chip", { amount: "" })}
          <Amount cents={chip.cents} />
        </span>
      )}
      <span class="term">
        <Clock />
        {speedName(table.speed)}
      </span>
    </>
  );
}

export function speedName(speed: string): string {
  if (speed === "lampo") return t("speed_lampo");
  return t(speed === "lento" ? "speed_lento" : "speed_normale");
}

/** The one thing that this person can do about the table. */
function Way({ table }: { table: Table }) {
  const game = gameName(table.game);
  const names = table.seats
    .map((seat) => seat.nickname)
    .filter(Boolean)
    .join(", ");
  if (seatAt(table) >= 0) {
    return (
      <a class="button primary compact" href={hrefOf({ page: "table", id: table.id, watch: false })}>
        {t("resume")}
      </a>
    );
  }
  if (table.state === RoomState.OPEN) {
    return (
      <Button kind="primary" compact aria-label={t("sit_at", { game, names })} onClick={() => void sitDown(table.id)}>
        {t("sit")}
      </Button>
    );
  }
  if (table.state !== RoomState.PLAYING) return null;
  return (
    <a
      class="button plain compact"
      href={hrefOf({ page: "table", id: table.id, watch: true })}
      aria-label={t("watch_at", { game, names })}
    >
      <Eye />
      {t("watch")}
    </a>
  );
}
