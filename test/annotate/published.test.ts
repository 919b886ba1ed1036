// @module-tag long
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { parse as parseSvelte } from 'svelte/compiler';
import ts from 'typescript';
import { compileTemplate, parse as parseVue } from 'vue/compiler-sfc';
import { annotateText, assertOnlyAttributes } from '../support/annotate/annotating.js';

const packages = new URL('../node_modules/', import.meta.url);

/** The templates of a published package, by their paths. */
function templatesOf(folder: string, extension: string): readonly (readonly [path: string, source: string])[] {
  const root = new URL(folder, packages);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .map((path) => [path, readFileSync(new URL(path, root), 'utf8')] as const)
    .filter(([, source]) => source.includes('<form'));
}

/** The names of the elements in TSX, and the numbers of their attributes, as TypeScript parses them. */
function attributesIn(code: string): readonly (readonly [string, number])[] {
  const file = ts.createSourceFile('a.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: (readonly [string, number])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node))
      found.push([node.tagName.getText(file), node.attributes.properties.length]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const elementsIn = (code: string): readonly string[] => attributesIn(code).map(([name]) => name);

const controls = '<label>Title <input name="q" /></label><button>Search books</button></form>';

describe('annotatePage, for published templates and components', () => {
  it('only adds attributes to the templates of USWDS, and finds no form to annotate in a second run', () => {
    const templates = templatesOf('@uswds/uswds/packages/', '.twig');
    let forms = 0;
    for (const [path, source] of templates) {
      const result = annotateText(path, source);
      forms += result.forms.length;
      assertOnlyAttributes(source, result.text, path);
      const again = annotateText(path, result.text);
      assert.deepEqual([again.forms, again.unsafe], [[], result.unsafe], path);
    }
    assert.ok(templates.length > 20 && forms > 10, `${forms} forms in ${templates.length} templates`);
  });

  it('only adds attributes to the components of Keycloakify, and finds no form to annotate in a second run', () => {
    const components = templatesOf('keycloakify/src/', '.tsx');
    let forms = 0;
    for (const [path, source] of components) {
      const result = annotateText(path, source);
      forms += result.forms.length;
      assert.doesNotMatch(JSON.stringify(result.unsafe), /cannot be parsed/, path);
      assertOnlyAttributes(source, result.text, path);
      assert.deepEqual(elementsIn(result.text), elementsIn(source), path);
      const again = annotateText(path, result.text);
      const reasons = ({ unsafe }: typeof result): readonly string[] => unsafe.map(({ reason }) => reason);
      assert.deepEqual([again.forms, reasons(again)], [[], reasons(result)], path);
    }
    assert.ok(components.length > 20 && forms > 10, `${forms} forms in ${components.length} components`);
  });

  it('writes JSX and TSX that TypeScript parses as the same elements with more attributes', () => {
    const source = `import React from 'react';
const less = (a: number, b: number): boolean => a < b && b > a;
const generic = <T,>(value: T): Map<string, T> => new Map([['a>b', value]]);
export function Search({ items }: { items: Array<{ id: string }> }) {
  const pattern = /<form>"'/g; // <form>
  return less(1, 2) ? <p>{\`<form \${items.length} \`}</p> : (
    <form onSubmit={async (event) => { if (event.detail > 1) { await generic({ a: "}" }); } }} className="a" {...{}}>
      {/* <form> */}
      {items.map((item) => <option key={item.id} value={item.id}>it's {item.id}</option>)}
      ${controls}
  );
}`;
    const { text, forms } = annotateText('a.tsx', source);
    assert.equal(forms.length, 1);
    assertOnlyAttributes(source, text);
    const before = attributesIn(source);
    assert.deepEqual(elementsIn(text), elementsIn(source));
    const ofForm = (list: typeof before): number => list.find(([name]) => name === 'form')?.[1] ?? 0;
    assert.ok(ofForm(attributesIn(text)) >= ofForm(before) + 2);
  });

  it('writes components that the compilers of Vue and Svelte accept', () => {
    const vue = `<script setup>\nconst a = "<form>";\n</script>\n<template>\n<section v-if="a > 1"><form :class="{ b: c > d }" @submit.prevent="(e) => e > f">{{ a < b }}${controls}</section>\n</template>\n`;
    const changed = annotateText('a.vue', vue);
    assert.equal(changed.forms.length, 1);
    const { descriptor, errors } = parseVue(changed.text);
    const compiled = compileTemplate({ source: descriptor.template?.content ?? '', filename: 'a.vue', id: 'a' });
    assert.deepEqual([errors, compiled.errors], [[], []]);
    assert.match(compiled.code, /toolname: "/);

    const svelte = `<script>let a = "<form>";</script>\n{#if a > 1}<form class:b={c > d} onsubmit={(e) => { if (e > f) g({ h: "}" }); }}>{a < b ? '{' : \`}\${a}\`}${controls}{/if}\n`;
    const component = annotateText('a.svelte', svelte);
    assert.equal(component.forms.length, 1);
    assert.match(JSON.stringify(parseSvelte(component.text, { modern: true })), /"name":"toolname"/);
  });
});
