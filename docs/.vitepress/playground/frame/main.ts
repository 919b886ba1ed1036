import { method } from '../../../../src/platform/primordials.js';
import { addBaseStyles } from './base-styles.js';
import { callTool, cancelCall, submitAsUser } from './call-tool.js';
import { withoutReferences } from '../inert-tags.js';
import { allowLayout, limitLayout, preventLayout } from './limit-layout.js';
import type { FrameMessage, FrameRequest } from './messages.js';
import { formsIn, readFormsText } from './read-frame-forms.js';
import { restoreValues } from './restore-values.js';
import { restrictScripts, trusted } from './restrict-scripts.js';
import { keepInFrame } from './keep-in-frame.js';

const postMessage = method<MessagePort, [FrameMessage], void>('MessagePort', 'postMessage');

/** An image named `close` would replace the method of the document. */
const openDocument = method<Document, [], void>('Document', 'open');
const write = method<Document, [string], void>('Document', 'write');
const closeDocument = method<Document, [], void>('Document', 'close');

/** Connects the frame to the page, whose first message has the port. */
function connect(event: MessageEvent): void {
  const [port] = event.ports;
  if (event.source !== parent || !port) return;
  window.removeEventListener('message', connect);
  const send = (message: FrameMessage): void => postMessage(port, message);
  port.addEventListener('message', ({ data }: MessageEvent<FrameRequest>) => handle(data, send));
  port.start();
  send({ kind: 'ready' });
}

type Send = (message: FrameMessage) => void;

function handle(request: FrameRequest, send: Send): void {
  const { id } = request;
  if (request.kind === 'ping') send({ kind: 'pong', id });
  else if (request.kind === 'show') show(request, send);
  else if (request.kind === 'call') void callTool(request, send);
  else if (request.kind === 'submit') submitAsUser();
  else cancelCall();
}

/** Replaces the document, whose policy stays. */
function show({ id, markup, limitsLayout }: Extract<FrameRequest, { readonly kind: 'show' }>, send: Send): void {
  cancelCall();
  openDocument(document);
  keepInFrame(send);
  if (limitsLayout) preventLayout(document);
  write(document, trusted(limitsLayout ? withoutReferences(markup) : markup.text));
  closeDocument(document);
  restoreValues(document, markup.marker);
  const forms = readFormsText(markup.marker);
  if (limitsLayout) {
    limitLayout(document);
    allowLayout(document);
  }
  addBaseStyles(document);
  send({ kind: 'shown', id, forms, count: formsIn(document).length });
}

restrictScripts();
window.addEventListener('message', connect);
