// Before the styles of the parts, which refine it.
import "./ui/base.css";
import { render } from "preact";
import { App } from "./app";
import { client } from "./state/here";

const root = document.getElementById("app");
if (root) render(<App />, root);
client.start();
