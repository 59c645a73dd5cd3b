/** What was said in a room before one came. */
import { ChatService, type ChatMessage } from "#protos/tavolo/chat/v1/chat_pb";
import { client } from "../state/here";

const PAGE = 200;
const KEPT = 200;

/** Reads what is missing of a room's chat. From then on the gateway sends what is said there. */
export async function readHistory(room: string): Promise<void> {
  let token = "";
  const after = client.chat.value.get(room)?.at(-1)?.number ?? 0n;
  do {
    const { messages, page } = await client.rpc(ChatService.method.listMessages, {
      room,
      after,
      page: { size: PAGE, token },
    });
    merge(room, messages);
    token = page?.next ?? "";
  } while (token);
}

/** Takes messages in that may be known already. */
export function merge(room: string, messages: readonly ChatMessage[]): void {
  const known = client.chat.value.get(room) ?? [];
  const numbered = new Map([...known, ...messages].map((each) => [each.number, each]));
  const sorted = [...numbered.values()].sort((a, b) => Number(a.number - b.number)).slice(-KEPT);
  client.chat.value = new Map(client.chat.value).set(room, sorted);
}
