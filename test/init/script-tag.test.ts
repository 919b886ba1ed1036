import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { applyInsertions } from '../../src/annotate/tags/insertion.js';
import { loadKind } from '../../src/annotate/templates/file-kinds.js';
import { findHead, hasPageScript, insertScript } from '../../src/init/plan-pages.js';

const attributes = { src: 'a/webmcp-forms.iife.js', integrity: 'sha384-A', 'data-integrity': 'sha384-B' };
const tag = '<script src="a/webmcp-forms.iife.js" integrity="sha384-A" data-integrity="sha384-B"></script>';

async function withScript(source: string, file = 'index.html'): Promise<string | undefined> {
  const masked = (await loadKind(file)).mask(source);
  const head = findHead(masked);
  const insertion = head && insertScript(masked, head, attributes);
  return insertion && applyInsertions(source, [insertion]);
}

describe('insertScript', () => {
  it('inserts the script after the charset, on a line of its own', async () => {
    assert.equal(
      await withScript('<!doctype html>\n<head>\n  <meta charset="utf-8">\n  <script src="x.js"></script>\n</head>'),
      `<!doctype html>\n<head>\n  <meta charset="utf-8">\n  ${tag}\n  <script src="x.js"></script>\n</head>`,
    );
  });

  const places = {
    'at the start of a head without charset': [
      '<html><head><title>A</title></head>',
      '<html><head>|<title>A</title></head>',
    ],
    'before a script that precedes the charset': [
      '<head><script></script><meta charset=utf-8></head>',
      '<head>|<script></script><meta charset=utf-8></head>',
    ],
    'after an old declaration of the charset': [
      '<head><meta http-equiv=Content-Type content="text/html; charset=x"></head>',
      '<head><meta http-equiv=Content-Type content="text/html; charset=x">|</head>',
    ],
    'after the doctype of a page without other tags': [
      '<!DOCTYPE html>\n<title>A</title><p>B',
      '<!DOCTYPE html>|\n<title>A</title><p>B',
    ],
    'outside of a comment': ['<html><!-- <head> --><head></head>', '<html><!-- <head> --><head>|</head>'],
    'outside of a string in a script': [
      '<html><script>"<head>"</script><body>',
      '<html>|<script>"<head>"</script><body>',
    ],
  };
  for (const [place, [source = '', expected = '']] of Object.entries(places))
    it(`inserts the script ${place}`, async () => {
      const line = source.includes('\n') ? `\n${tag}` : tag;
      assert.equal(await withScript(source), expected.replace('|', line));
    });

  const templates = {
    'layout.djhtml': '{% load static %}<!doctype html><html><head><title>{% block t %}{% endblock %}</title></head>',
    'header.php': '<?php session_start(); ?>\n<html><head><title><?= $title ?></title></head>',
    'layout.ejs': '<% const x = "<head>"; %><html><head><title><%= x %></title></head>',
    'application.html.erb': '<html><head><%= csrf_meta_tags %></head><body><%= yield %></body></html>',
  };
  for (const [file, source] of Object.entries(templates))
    it(`inserts the script after the tag of the head in ${file}`, async () => {
      const at = source.lastIndexOf('<head>') + '<head>'.length;
      assert.equal(await withScript(source, file), source.slice(0, at) + tag + source.slice(at));
    });

  it('does not insert a script where a parser would read text, as in an unclosed title', async () => {
    assert.equal(await withScript('<title>A<html><head></head>'), undefined);
  });

  it('finds no head in a page fragment', async () => {
    for (const source of ['<form></form>', '<h2>A</h2>', '{% extends "base.html" %}{% block a %}{% endblock %}', ''])
      assert.equal(findHead((await loadKind('a.html')).mask(source)), undefined, source);
  });

  it('escapes the URL of the script', async () => {
    const masked = (await loadKind('a.html')).mask('<head></head>');
    const head = findHead(masked);
    const insertion = head && insertScript(masked, head, { ...attributes, src: '/a"><b>&/' });
    assert.match(insertion?.text ?? '', /src="\/a&quot;><b>&amp;\/"/);
  });
});

describe('hasPageScript', () => {
  const isFound = async (source: string, file = 'a.html'): Promise<boolean> =>
    hasPageScript((await loadKind(file)).mask(source));

  it('finds the script under its name, with a hash, in one piece, inline and as an import', async () => {
    for (const source of [
      tag,
      '<script src=/x/webmcp-forms.iife-1f3a.js></script>',
      '<SCRIPT src="webmcp-forms.full.iife.js"></SCRIPT>',
      "<script>window['webmcp-forms.names.1'] = 1</script>",
      "<script type=module>import 'webmcp-forms/auto';</script>",
    ])
      assert.ok(await isFound(source), source);
    assert.ok(await isFound(`<script src="{% static 'webmcp-forms.iife.js' %}"></script>`));
  });

  it('finds no script in a comment, a text or another element', async () => {
    for (const source of [
      '<p>webmcp-forms.iife.js</p>',
      '<!-- <script src=webmcp-forms.iife.js></script> -->',
      '<textarea><script src=webmcp-forms.iife.js></script></textarea>',
      '<link rel=preload href=webmcp-forms.iife.js><script src=other.js></script>',
    ])
      assert.ok(!(await isFound(source)), source);
  });
});
