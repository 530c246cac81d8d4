import { MAX_NAMESAKES } from "@dhi/server/graph/tree";
import { expect, test } from "vitest";
import { indexedFiles, renderTargets } from "../testing/indexed-files.ts";

const targets = (files: Record<string, string>, path: string) => {
  using index = indexedFiles(files);
  return renderTargets(index.db, path);
};

test("packages of the module, of the same folder, replaced and of the workspace; tests beside them", () => {
  const files = {
    "go.work": "go 1.23\nuse (\n\t./app // here\n\t./tools\n)\n",
    "app/go.mod": `module example.com/app

require example.com/old v1.0.0
replace example.com/old v1.0.0 => ../old
`,
    "app/main.go": `package main

import (
	"fmt"
	m "example.com/app/internal/model"
	"example.com/old/sub"
	"example.com/tools"
	. "example.com/app/dsl"
)

type Server struct {
	*Base
	model m.Invoice
}

func (s *Server) Run() {
	s.stop()
	s.Log()
	helper()
	fmt.Println(m.New(), sub.Old(), tools.Tool())
	Describe()
	s.model.Total()
	onlyInTests()
	var x m.Invoice
	x.Total()
	x.Missing()
}
`,
    "app/server.go":
      "package main\n\ntype Base struct{}\n\nfunc (b *Base) Log() {}\nfunc (s *Server) stop() {}\nfunc helper() {}\n",
    "app/main_test.go": "package main\n\nfunc onlyInTests() { helper() }\n",
    "app/internal/model/invoice.go":
      "package model\n\ntype Invoice struct{}\n\nfunc (i Invoice) Total() int { return 1 }\n",
    "app/internal/model/new.go": "package model\n\nfunc New() Invoice { return Invoice{} }\n",
    "app/dsl/dsl.go": "package dsl\n\nfunc Describe() {}\n",
    "old/go.mod": "module example.com/old\n",
    "old/sub/sub.go": "package sub\n\nfunc Old() {}\n",
    "tools/go.mod": "module example.com/tools\n",
    "tools/tool.go": "package tools\n\nfunc Tool() {}\n",
  };
  expect(targets(files, "app/main.go")).toMatchInlineSnapshot(`
    "12 Base → app/server.go Base (exact)
    13 m › Invoice → app/internal/model/invoice.go Invoice (imported)
    16 Server → app/main.go Server (exact)
    17 s › stop → app/server.go Server.stop (exact)
    18 s › Log → app/server.go Base.Log (imported)
    19 helper → app/server.go helper (exact)
    20 fmt › Println → -
    20 m › New → app/internal/model/new.go New (imported)
    20 sub › Old → old/sub/sub.go Old (imported)
    20 tools › Tool → tools/tool.go Tool (imported)
    21 Describe → app/dsl/dsl.go Describe (imported)
    22 s.model › Total → app/internal/model/invoice.go Invoice.Total (imported)
    23 onlyInTests → -
    24 m › Invoice → app/internal/model/invoice.go Invoice (imported)
    25 x › Total → app/internal/model/invoice.go Invoice.Total (imported)
    26 x › Missing → -"
  `);
  expect(targets(files, "app/main_test.go")).toMatchInlineSnapshot(
    `"3 helper → app/server.go helper (exact)"`,
  );
  expect(targets(files, "app/internal/model/new.go")).toMatchInlineSnapshot(
    `"3 Invoice → app/internal/model/invoice.go Invoice (exact)"`,
  );
});

test("a name that every package has is found in its own", () => {
  const others = Array.from({ length: MAX_NAMESAKES }, (_, i) => [
    `p${i}/p.go`,
    `package p${i}\n\nfunc New() {}\n\ntype T${i} struct{}\n\nfunc (t T${i}) Close() {}\n`,
  ]);
  const files = {
    ...Object.fromEntries(others),
    "z/new.go": "package z\n\nfunc New() {}\n\nfunc (z Z) Close() {}\n",
    "z/z.go": "package z\n\ntype Z struct{}\n\nfunc (z Z) Stop() {\n\tNew()\n\tz.Close()\n}\n",
  };
  expect(targets(files, "z/z.go")).toMatchInlineSnapshot(`
    "5 Z → z/z.go Z (exact)
    6 New → z/new.go New (exact)
    7 z › Close → z/new.go Z.Close (exact)"
  `);
});
