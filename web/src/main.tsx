import { render } from "preact";
import "./style/base.css";
import "./style/shell.css";
import "./style/playground.css";
import "./style/views.css";
import "./style/index.css";
import "./style/live.css";
import "./style/models.css";
import { Page } from "./page.tsx";
import { watchServer } from "./server/server-state.ts";

watchServer();
const place = document.getElementById("page");
if (place) render(<Page />, place);
