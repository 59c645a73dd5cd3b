import { render } from "preact";
import { App } from "./app";
import "./ui/base.css";

const root = document.getElementById("app");
if (root) render(<App />, root);
