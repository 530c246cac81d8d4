/** What every view has around it: which views there are, which workspace, and how the server is. */
import { useRef } from "preact/hooks";
import { IndexView } from "./index-view/index-view.tsx";
import { LiveView } from "./live/live-view.tsx";
import { ModelsView } from "./models/models-view.tsx";
import { asChoices, Choice } from "./parts/choice.tsx";
import { Playground } from "./playground/playground.tsx";
import { type View, view, views } from "./route.ts";
import { chooseWorkspace, health, status, unreachable, workspace } from "./server/server-state.ts";
import { setToken, token, tokenWanted } from "./server/token.ts";
import { type Theme, theme, themes } from "./theme.ts";

const shown: Readonly<Record<Exclude<View, "playground">, () => preact.JSX.Element>> = {
  index: IndexView,
  live: LiveView,
  models: ModelsView,
};

export function Page() {
  const now = view.value;
  const Current = now === "playground" ? undefined : shown[now];
  // What was typed in it stays there while another view shows, or the server asks for its token.
  const wasInPlayground = useRef(false);
  wasInPlayground.current ||= now === "playground";
  return (
    <>
      <a class="skip" href={`#/${view.value}`} onClick={skip}>
        Skip to the content
      </a>
      <header>
        <span class="brand" aria-hidden="true">
          Dhi
        </span>
        <nav aria-label="Views">
          {views.map((name) => (
            <a
              key={name}
              href={`#/${name}`}
              {...(name === view.value && { "aria-current": "page" as const })}
            >
              {name}
            </a>
          ))}
        </nav>
        <Workspace />
        <State />
        <Choice
          label="Theme"
          values={asChoices(themes)}
          chosen={theme.value}
          onChoose={(value: Theme) => {
            theme.value = value;
          }}
        />
      </header>
      {unreachable.value ? (
        <p class="banner" role="alert">
          {unreachable.value}. This page tries again every two seconds.
        </p>
      ) : null}
      <main id="content" tabIndex={-1}>
        {tokenWanted.value ? <TokenForm /> : Current ? <Current /> : null}
        {wasInPlayground.current ? (
          <div class="keeps" hidden={now !== "playground" || tokenWanted.value}>
            <Playground />
          </div>
        ) : null}
      </main>
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function Workspace() {
  const names = status.value?.workspaces.map(({ name }) => name) ?? [];
  if (names.length < 2) return <span class="workspace">{names[0]}</span>;
  return (
    <Choice
      label="Workspace"
      values={asChoices(names)}
      chosen={workspace.value ?? ""}
      onChoose={chooseWorkspace}
    />
  );
}

function State() {
  const now = health.value;
  const state = unreachable.value ? "down" : (now?.status ?? "starting");
  const bad = Object.entries(now?.components ?? {}).filter(([, { status }]) => status !== "ok");
  const title = bad.map(([name, { status, detail }]) => `${name} is ${status}: ${detail}`).join("\n");
  const words = unreachable.value
    ? "unreachable"
    : now
      ? [state, ...bad.map(([name]) => name)].join(": ")
      : "asking…";
  return (
    <a class="state" href="#/live" title={title || "everything works"}>
      <span class={`dot ${state}`} aria-hidden="true" />
      <span>{words}</span>
    </a>
  );
}

function TokenForm() {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        const value = new FormData(event.currentTarget).get("token");
        if (typeof value === "string" && value) setToken(value);
      }}
    >
      <h1>This server wants its token</h1>
      <p>
        It is what <code>DHI_TOKEN</code> was set to when the server was started. It is kept until this tab is
        closed, and sent to this server only.
      </p>
      {token.value ? (
        <p class="bad" role="alert">
          It refused the one it was sent.
        </p>
      ) : null}
      <label>
        <span>Token</span>
        <input type="password" name="token" autocomplete="off" required />
      </label>
      <button type="submit" class="primary">
        Use it
      </button>
    </form>
  );
}
