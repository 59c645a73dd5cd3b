/** The one client of this page. */
import { Client } from "./client";

const scheme = location.protocol === "https:" ? "wss" : "ws";
export const client = new Client(`${scheme}://${location.host}/ws`);
