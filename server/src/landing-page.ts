/** What a browser shows at `/`: that Dhi runs, how it is, and what to do next. Asks nothing of any other machine. */

export const landingPage = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Dhi</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  dt { float: left; clear: left; width: 6rem; font-weight: 600; }
  dd { margin-left: 7rem; }
</style>
<h1>Dhi is running</h1>
<dl id="health" aria-live="polite"><dt>health</dt><dd>asking …</dd></dl>
<p>Ghost text shows in VS Code once the Dhi extension is installed; its setting <code>dhi.serverUrl</code> is this address.</p>
<p>For programs: <a href="/health">health</a>, <a href="/v1/status">status</a>, <a href="/openapi.json">API</a>.</p>
<script>
  const list = document.getElementById("health");
  const show = (rows) => list.replaceChildren(...rows.flatMap(([name, text]) => {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = text;
    return [dt, dd];
  }));
  async function refresh() {
    try {
      const { status, components } = await (await fetch("/health")).json();
      show([["overall", status], ...Object.entries(components).map(([n, c]) => [n, c.status + ": " + c.detail])]);
    } catch { show([["overall", "the server does not answer"]]); }
    setTimeout(refresh, 2000);
  }
  refresh();
</script>
`;
