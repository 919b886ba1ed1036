import type { JsonRecord } from '../json.js';
import { toolNamePattern } from '../tool-name.js';
import type { ConnectedWebtool } from './connect.js';
import { quote, type WebtoolAction } from './metadata.js';
import { describeAction, isThirdParty, titleOf } from './trust.js';
import { WebtoolError } from './webtool-error.js';

export interface RegisteredAction {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonRecord;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly consequentialHint: boolean;
    readonly untrustedContentHint: true;
  };
  readonly execute: (input: object, options?: { readonly signal?: AbortSignal }) => Promise<unknown>;
}

export interface ActionContext {
  registerTool(tool: RegisteredAction, options: { readonly signal: AbortSignal }): PromiseLike<unknown>;
}

/** The page's model context, also if a form named `modelContext` shadows it. Other polyfills define an own property. */
export function nativeModelContext(): ActionContext | undefined {
  const { document, Document } = globalThis as { document?: object; Document?: { readonly prototype: object } };
  const descriptor = Document && Object.getOwnPropertyDescriptor(Document.prototype, 'modelContext');
  if (!document || descriptor?.get) return descriptor?.get?.call(document) as ActionContext | undefined;
  const own =
    Object.getOwnPropertyDescriptor(document, 'modelContext') && (Reflect.get(document, 'modelContext') as object);
  return own && typeof Reflect.get(own, 'registerTool') === 'function' ? (own as ActionContext) : undefined;
}

/** @throws {WebtoolError} if a name is invalid in a model context */
export function checkNames(webtool: string, actions: readonly WebtoolAction[]): void {
  const invalid = actions.find(({ name }) => !toolNamePattern.test(name));
  if (!invalid) return;
  const rule = 'A tool name consists of 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.';
  const message = `The action ${quote(invalid.name)} of the webtool ${quote(webtool)} cannot be registered. ${rule} To call it without registering it, connect with {modelContext: null}.`;
  throw new WebtoolError('BAD_NAME', message);
}

/** A webtool whose actions become tools. */
interface Registered {
  readonly webtool: Pick<ConnectedWebtool, 'name' | 'origin' | 'actions' | 'call'>;
  /** Whether the page's author has reviewed the actions. */
  readonly isPinned: boolean;
}

export async function registerActions(
  context: ActionContext,
  registered: Registered,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name, actions } = registered.webtool;
  signal?.throwIfAborted();
  const controller = new AbortController();
  signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  const register = async (action: WebtoolAction): Promise<string> => {
    try {
      await context.registerTool(createTool(context, action, registered), { signal: controller.signal });
      return '';
    } catch (error) {
      return `${quote(action.name)} (${error instanceof Error ? error.message : String(error)})`;
    }
  };
  const failures = (await Promise.all(actions.map(register))).filter((failure) => failure !== '');
  signal?.throwIfAborted();
  if (failures.length === 0) return;
  controller.abort();
  const message = `The webtool ${quote(name)} is not registered: the model context rejects ${failures.join(', ')}.`;
  throw new WebtoolError('NOT_REGISTERED', message);
}

function createTool(
  context: ActionContext,
  action: WebtoolAction,
  { webtool: { origin, call }, isPinned }: Registered,
): RegisteredAction {
  const title = titleOf(action, origin);
  return {
    name: action.name,
    ...(title !== undefined && { title }),
    description: describeAction(action, origin),
    inputSchema: action.requestSchema,
    annotations: {
      // Ignores an unreviewed hint of a third party, because agents may run read-only tools without asking.
      readOnlyHint: action.readOnly && (isPinned || !isThirdParty(origin)),
      consequentialHint: action.consequential,
      untrustedContentHint: true,
    },
    execute: async (input, { signal } = {}) => {
      try {
        return await call(action.name, input, { signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof WebtoolError) || !isNative(context)) throw error;
        const { code, message, parameters: errors } = error;
        return { isError: true, name: error.name, code, message, errors };
      }
    },
  };
}

/** Whether a model context is native. Native contexts discard the reason of a failure, so errors are returned as results. */
function isNative(context: ActionContext): boolean {
  const { ModelContext } = globalThis as { ModelContext?: new () => object };
  const isPolyfilled = Object.hasOwn(globalThis, Symbol.for('webmcp-forms'));
  return ModelContext !== undefined && context instanceof ModelContext && !isPolyfilled;
}
