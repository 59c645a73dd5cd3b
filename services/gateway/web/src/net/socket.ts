/** The WebSocket to the gateway: frames of protobuf messages, kept up for ever. Knows nothing of tokens or tables. */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ClientMessageSchema,
  ConnectRequestSchema,
  ConnectResponseSchema,
  type Answer,
  type ServerMessage,
} from "#protos/tavolo/gateway/v1/gateway_pb";
import type { ErrorDetail } from "#protos/tavolo/common/v1/error_pb";
import { backoff } from "./backoff";

/** What the server refused, as it said it. */
export class Refused extends Error {
  constructor(readonly detail: ErrorDetail) {
    super(detail.text);
  }
}

/** The connection broke before an answer came: what was asked may have been done or not. */
export class Broken extends Error {
  constructor() {
    super("the connection broke");
  }
}

export type Kind = NonNullable<MessageInitShape<typeof ClientMessageSchema>["kind"]>;

interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

export interface SocketEvents {
  /** A new wire is there: say hello, attach again. */
  opened: () => void;
  /** It broke; another one is tried. */
  closed: () => void;
  /** Anything but answers and pings. */
  message: (message: ServerMessage) => void;
}

/** A wire that silently died is given up when nothing, not even a ping, was heard for so many heartbeats. */
const SILENT_HEARTBEATS = 2.5;
const FIRST_HEARTBEAT_MS = 15_000;

export class Socket {
  heartbeatMs = FIRST_HEARTBEAT_MS;
  private wire: WebSocket | null = null;
  private calls = 0n;
  private readonly waiting = new Map<bigint, Waiting>();
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly events: SocketEvents,
  ) {
    // A device that wakes up, or is back in a network, does not wait for the next try.
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.again();
    });
  }

  get isOpen(): boolean {
    return this.wire?.readyState === WebSocket.OPEN;
  }

  open(): void {
    clearTimeout(this.retry);
    const wire = new WebSocket(this.url, "tavolo.v1.proto");
    wire.binaryType = "arraybuffer";
    wire.onopen = () => {
      this.heard();
      this.events.opened();
    };
    wire.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      this.heard();
      for (const message of fromBinary(ConnectResponseSchema, new Uint8Array(event.data)).messages) this.take(message);
    };
    wire.onclose = () => {
      if (this.wire === wire) this.lost();
    };
    this.wire = wire;
  }

  /** Sends a message whose answer is wanted. Rejects with Refused or Broken. */
  call(kind: Kind): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) {
        reject(new Broken());
        return;
      }
      const call = ++this.calls;
      this.waiting.set(call, { resolve, reject });
      this.write(call, kind);
    });
  }

  /** The connection works for its client: the next break is tried again at once. */
  settled(): void {
    this.tries = 0;
  }

  private write(call: bigint, kind: Kind): void {
    const frame = create(ConnectRequestSchema, { messages: [create(ClientMessageSchema, { call, kind })] });
    this.wire?.send(toBinary(ConnectRequestSchema, frame));
  }

  private take(message: ServerMessage): void {
    const { kind } = message;
    if (kind.case === "ping") {
      this.write(++this.calls, { case: "pong", value: { ping: kind.value.number } });
    } else if (kind.case === "answer") {
      const found = this.waiting.get(kind.value.call);
      this.waiting.delete(kind.value.call);
      if (kind.value.kind.case === "error") found?.reject(new Refused(kind.value.kind.value));
      else found?.resolve(kind.value);
    } else {
      this.events.message(message);
    }
  }

  private heard(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.cut(), this.heartbeatMs * SILENT_HEARTBEATS);
  }

  private cut(): void {
    const wire = this.wire;
    this.wire = null;
    wire?.close();
    this.lost();
  }

  private lost(): void {
    this.wire = null;
    clearTimeout(this.silence);
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of waiting) each.reject(new Broken());
    this.events.closed();
    this.retry = setTimeout(() => this.open(), backoff(this.tries++));
  }

  private again(): void {
    if (this.wire === null) this.open();
  }
}
