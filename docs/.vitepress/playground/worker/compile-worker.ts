import type { ComparedForm } from '../reading.js';
import { compareForms } from './compare.js';
import type { WorkerRequest, WorkerResponse } from './messages.js';
import type { Parse5Page } from '../../../../src/parse5/parse5-tree.js';
import { inspectPageForm, readPlaygroundPage } from './read-page.js';

/** The page that was read last, and its forms. */
let lastForms: readonly ComparedForm[] = [];
let lastPage: Parse5Page | undefined;

function answer(request: WorkerRequest): WorkerResponse {
  const { id } = request;
  if (request.kind === 'compare')
    return { kind: 'compare', id, comparison: compareForms(lastForms, JSON.parse(request.forms)) };
  if (request.kind === 'inspect')
    return { kind: 'inspect', id, inspection: lastPage && inspectPageForm(lastPage, request.form) };
  const { reading, compared, annotated } = readPlaygroundPage(request.source);
  [lastForms, lastPage] = [compared, annotated];
  return { kind: 'read', id, reading };
}

function answerSafely(request: WorkerRequest): WorkerResponse {
  try {
    return answer(request);
  } catch (error) {
    return { kind: 'failed', id: request.id, message: String(error) };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => self.postMessage(answerSafely(data)));
