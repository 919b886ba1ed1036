import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'vitest';
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { GoogleGenAI, type FunctionDeclaration } from '@google/genai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import OpenAI from 'openai';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { z } from 'zod';
import { atEnd } from '../support/at-end.js';
import { compileHtml, type ManifestPage, type ProfileName } from '../../src/build.js';
import type { GatewayTool } from '../../gateway/src/manifest.js';
import { descriptionOf } from '../../src/headless/known-tool.js';
import { planInput } from '../../src/compiler/index.js';

type Tool = ManifestPage['tools'][number];

const folders = ['test/fixtures/cases', 'demo'].map((folder) => new URL(`../../${folder}/`, import.meta.url));
const pages = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({ file, html: readFileSync(new URL(file, folder), 'utf8') })),
);

/** The tools of the corpus and the demo. */
const toolsOf = (profile: ProfileName): readonly Tool[] =>
  pages.flatMap(({ file, html }) => compileHtml(html, { path: file, profile }).tools);

/** Starts a server that answers every request with the same JSON. Returns its URL and the bodies that it receives. */
async function startServer(answer: object): Promise<{ readonly url: string; readonly bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  atEnd(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

interface Members {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly items?: object;
  readonly anyOf?: readonly object[];
}

/** The schema for OpenAI's strict mode: all members are required, and the optional members are nullable. */
function nullable(schema: object): object {
  const { properties, required = [], items, anyOf } = schema as Members;
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const inner = nullable(member);
    return [name, required.includes(name) ? inner : { anyOf: [inner, { type: 'null' }] }] as const;
  });
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members), required: Object.keys(properties) }),
    ...(items && { items: nullable(items) }),
    ...(anyOf && { anyOf: anyOf.map(nullable) }),
  };
}

describe('the clients of model providers', () => {
  it('@anthropic-ai/sdk transforms every schema of the profile portable, and accepts every tool as an MCP tool', () => {
    const tools = toolsOf('portable');
    for (const { inputSchema } of tools) transformJSONSchema(structuredClone(inputSchema));
    const client = { callTool: () => Promise.resolve({ content: [] }) };
    const converted = mcpTools(tools as never, client) as readonly { readonly name: string }[];
    assert.deepEqual(
      converted.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
  });

  for (const member of ['parameters', 'parametersJsonSchema'] as const) {
    it(`@google/genai sends every schema of the profiles precise and portable as ${member}`, async () => {
      const { url, bodies } = await startServer({
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] } }],
      });
      const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
      const tools = [...toolsOf('precise'), ...toolsOf('portable')];
      for (const { name, description, inputSchema } of tools) {
        const declaration = { name, description, [member]: inputSchema } as FunctionDeclaration;
        const config = { tools: [{ functionDeclarations: [declaration] }] };
        await client.models.generateContent({ model: 'gemini', contents: 'Hello', config });
      }
      assert.equal(bodies.length, tools.length);
    });
  }

  it('openai sends every schema unchanged, because its strict mode accepts no optional parameters', async () => {
    const { url, bodies } = await startServer({ id: '1', object: 'response', output: [] });
    const client = new OpenAI({ apiKey: 'none', baseURL: url });
    const tools = toolsOf('portable');
    const functions = tools.map(({ name, description, inputSchema }) => {
      return { type: 'function' as const, name, description, parameters: { ...inputSchema }, strict: false };
    });
    await client.responses.create({ model: 'gpt', input: 'Hello', tools: functions });
    const [{ tools: sent = [] } = {}] = bodies as { readonly tools?: readonly { readonly parameters: object }[] }[];
    assert.deepEqual(
      sent.map(({ parameters }) => parameters),
      tools.map(({ inputSchema }) => inputSchema),
    );
  });

  it('openai accepts every schema in strict mode with nullable members, and null omits an optional parameter', () => {
    for (const tool of toolsOf('portable').filter(({ form }) => form)) {
      toStrictJsonSchema(nullable(tool.inputSchema));
      const { properties = {}, required = [] } = tool.inputSchema as Members;
      const optional = Object.keys(properties).filter((name) => !required.includes(name));
      const input = Object.fromEntries(optional.map((name) => [name, null]));
      const form = descriptionOf(tool);
      assert.deepEqual(planInput(form, input, { profile: 'portable' }), { steps: [], errors: [] }, tool.name);
    }
  });

  it('OpenAI in strict mode can send a file whose media type is null', () => {
    const html = '<form toolname="send" tooldescription="Sends."><input type="file" name="file"></form>';
    const [tool] = compileHtml(html, { path: 'index.html', profile: 'portable' }).tools;
    const form = descriptionOf(JSON.parse(JSON.stringify(tool)) as GatewayTool);
    const input = { file: { name: 'a.txt', mediaType: null, content: '' } };
    const { steps, errors } = planInput(form, input, { profile: 'portable' });
    assert.deepEqual([steps.length, errors], [1, []]);
  });

  it('zod converts every schema of the profile portable, and accepts the same values as Ajv', () => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    const values = ['', 'a', 'x'.repeat(300), 0, 1, -1, 2.5, 1e9, true, null, [], ['a'], {}, '2026-12-01', '19:30'];
    for (const { name, inputSchema } of toolsOf('portable')) {
      const converted = z.fromJSONSchema(inputSchema as never);
      const isValid = ajv.compile(inputSchema);
      const names = Object.keys(inputSchema.properties ?? {});
      const inputs = [{}, ...names.flatMap((parameter) => values.map((value) => ({ [parameter]: value })))];
      for (const input of inputs) {
        assert.equal(converted.safeParse(input).success, isValid(input), `${name} ${JSON.stringify(input)}`);
      }
    }
  });
});
