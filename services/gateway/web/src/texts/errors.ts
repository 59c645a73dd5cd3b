/** What went wrong, in the words of the person's language. */
import { durationMs } from "@bufbuild/protobuf/wkt";
import { ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import { Broken, Refused } from "../net/socket";
import { t } from "./index";
import { texts } from "./language";

type Reason = keyof typeof ErrorReason;

const it: Record<Reason, string> = {
  UNSPECIFIED: "La richiesta è stata rifiutata.",
  INVALID_FIELD: "La richiesta non si può leggere: controlla quello che hai scritto.",
  TOO_LARGE: "È troppo lungo.",
  RATE_LIMITED: "Troppe richieste in poco tempo.",
  UNAUTHENTICATED: "Devi entrare di nuovo.",
  NOT_PERMITTED: "Questo non lo puoi fare.",
  NOT_FOUND: "Non c'è, o non c'è più.",
  UNAVAILABLE: "In questo momento non si può: riprova tra poco.",
  OUTCOME_UNKNOWN: "Non si sa ancora se è andata: riprova.",
  INTERNAL: "È un errore nostro: chi gestisce la sala è avvisato.",
  ID_REUSED: "Questa richiesta è già stata fatta, in altro modo.",
  ILLEGAL_MOVE: "Le regole non lo permettono.",
  STALE_TURN: "Quel turno è già passato.",
  OUT_OF_TIME: "Il tempo per questa mossa è finito.",
  TABLE_PAUSED: "Il tavolo è in pausa.",
  TABLE_PARKED: "Il tavolo è fermo per un guasto: chi gestisce la sala lo sa.",
  NOT_ATTACHED: "Il tavolo è aperto su un altro dispositivo.",
  NOT_SEATED: "Non hai un posto a questo tavolo.",
  NOT_OWNER: "Il tavolo si sta spostando: riprova tra poco.",
  WRONG_STATE: "Adesso non si può.",
  NICKNAME_TAKEN: "Questo nome, o uno che gli somiglia, è già preso: scegline un altro.",
  NICKNAME_REFUSED:
    "Questo nome non va: da 3 a 20 lettere, cifre, spazi e . _ - ', senza offendere e senza sembrare della casa.",
  BAD_CREDENTIALS: "Il nome o la password non sono giusti.",
  UNKNOWN_GAME: "Questo gioco non c'è.",
  BAD_OPTION: "Una delle regole scelte non va, o non va d'accordo con un'altra.",
  SEAT_TAKEN: "Il posto è già occupato: scegline un altro.",
  ALREADY_SEATED: "Siedi già a un tavolo: finisci lì, o lascialo.",
  TABLE_CLOSED: "La partita è già cominciata, o il tavolo è chiuso.",
  INSUFFICIENT_FUNDS: "Il saldo non basta per la posta.",
  MESSAGE_REFUSED: "Il messaggio non è stato accettato: da 1 a 300 caratteri, senza offendere.",
};

const en: Record<Reason, string> = {
  UNSPECIFIED: "The request was refused.",
  INVALID_FIELD: "The request cannot be read: check what you have written.",
  TOO_LARGE: "It is too long.",
  RATE_LIMITED: "Too many requests in a short time.",
  UNAUTHENTICATED: "You have to sign in again.",
  NOT_PERMITTED: "You may not do this.",
  NOT_FOUND: "It is not there, or not any more.",
  UNAVAILABLE: "Not at the moment: try again a little later.",
  OUTCOME_UNKNOWN: "It is not known yet whether it was done: try again.",
  INTERNAL: "This is our own fault: the people who run the room have been told.",
  ID_REUSED: "This request was made before, with another content.",
  ILLEGAL_MOVE: "The rules do not allow it.",
  STALE_TURN: "That turn is over.",
  OUT_OF_TIME: "The time for this move is used up.",
  TABLE_PAUSED: "The table is paused.",
  TABLE_PARKED: "The table is stopped by a fault: the people who run the room know.",
  NOT_ATTACHED: "The table is open on another device.",
  NOT_SEATED: "You have no seat at this table.",
  NOT_OWNER: "The table is being moved: try again a little later.",
  WRONG_STATE: "Not now.",
  NICKNAME_TAKEN: "This nickname, or one that looks like it, is taken: choose another.",
  NICKNAME_REFUSED:
    "This nickname will not do: 3 to 20 letters, digits, spaces and . _ - ', no insults, nothing that sounds like the staff.",
  BAD_CREDENTIALS: "Nickname or password is wrong.",
  UNKNOWN_GAME: "There is no such game.",
  BAD_OPTION: "One of the rules cannot be so, or does not go with another one.",
  SEAT_TAKEN: "The seat is taken: choose another.",
  ALREADY_SEATED: "You sit at a table already: finish there, or leave it.",
  TABLE_CLOSED: "The match has begun, or the table is closed.",
  INSUFFICIENT_FUNDS: "Your balance does not cover the stake.",
  MESSAGE_REFUSED: "The message was not accepted: 1 to 300 characters, no insults.",
};

const say = texts<Reason>(it, en);

/** Whether an error is a refusal for this reason. */
export function isRefusal(error: unknown, reason: ErrorReason): error is Refused {
  return error instanceof Refused && error.detail.reason === reason;
}

/** The words for an error of a call. What is neither refused nor broken is a bug, and is thrown on. */
export function wordsOf(error: unknown): string {
  if (error instanceof Broken) return t("error_broken");
  if (!(error instanceof Refused)) throw error;
  const { reason, retryAfter } = error.detail;
  const words = say((ErrorReason[reason] as Reason | undefined) ?? "UNSPECIFIED");
  if (reason !== ErrorReason.RATE_LIMITED || !retryAfter) return words;
  return `${words} ${t("error_wait", { n: Math.max(1, Math.ceil(durationMs(retryAfter) / 1000)) })}`;
}
