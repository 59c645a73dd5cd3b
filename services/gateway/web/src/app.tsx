import { client } from "./state/here";

export function App() {
  return <main>{client.link.value}</main>;
}
