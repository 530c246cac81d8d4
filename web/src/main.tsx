import { render } from "preact";
import "./style/base.css";
import "./style/shell.css";
import "./style/playground.css";
import "./style/views.css";
import "./style/index.css";
import "./style/live.css";
import "./style/models.css";
import { watchFigures } from "./live/live-figures.ts";
import { Page } from "./page.tsx";
import { watchServer } from "./server/server-state.ts";

watchServer();
watchFigures();
const place = document.getElementById("page");
if (place) render(<Page />, place);
