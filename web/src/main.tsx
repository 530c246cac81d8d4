import { render } from "preact";
import { monaco } from "./playground/monaco.ts";

render(<p>hello</p>, document.body);
monaco.editor.create(document.body, { value: "x", language: "python" });
