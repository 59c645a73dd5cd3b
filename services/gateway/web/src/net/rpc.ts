/** Calls of the services behind the gateway, over the same connection. */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Socket } from "./socket";

/** The response. Rejects with Refused or Broken. */
export async function rpc<I extends DescMessage, O extends DescMessage>(
  socket: Socket,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): Promise<MessageShape<O>> {
  const answer = await socket.call({
    case: "rpc",
    value: {
      method: `/${method.parent.typeName}/${method.name}`,
      request: toBinary(method.input, create(method.input, request)),
    },
  });
  if (answer.kind.case !== "response") throw new Error(`no response to ${method.name}`);
  return fromBinary(method.output, answer.kind.value);
}
