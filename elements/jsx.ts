/**
 * Types of the form annotations and the elements for React, by `import 'webmcp-forms/jsx'`. The module has no code.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ElementDiagnostic } from './diagnostic.js';
import type { ToolCallEvent, WebmcpTool } from './webmcp-tool.js';
import type {
  InspectorSelectDetail,
  InspectorSource,
  InspectorStrings,
  InspectorTab,
  WebmcpInspector,
} from './webmcp-inspector.js';
import type { WebmcpParam } from './webmcp-param.js';
import type { ReviewEventDetail, ReviewString, WebmcpReview } from './webmcp-review.js';

interface ToolAttributes {
  toolname?: string | undefined;
  tooldescription?: string | undefined;
  tooltitle?: string | undefined;
  /** Write `toolautosubmit=""`: React omits unknown attributes with the value `true`. */
  toolautosubmit?: string | undefined;
  'data-toolname'?: string | undefined;
  'data-tooldescription'?: string | undefined;
  'data-tooltitle'?: string | undefined;
  'data-toolautosubmit'?: string | boolean | undefined;
  'data-webmcp-response'?: 'fetch' | 'page' | undefined;
  'data-webmcp-submitter'?: string | undefined;
}

interface ToolParamAttributes {
  toolparamdescription?: string | undefined;
  'data-toolparamdescription'?: string | undefined;
}

type ElementProps<Type extends HTMLElement, Props> = Omit<DetailedHTMLProps<HTMLAttributes<Type>, Type>, keyof Props> &
  Props;

interface WebmcpToolProps {
  name?: string;
  description?: string;
  tooltitle?: string;
  autosubmit?: boolean;
  for?: string;
  optional?: boolean;
  profile?: string;
  sensitive?: string;
  response?: 'page' | 'fetch';
  submitter?: string;
  src?: string;
  version?: string;
  hash?: string;
  trust?: 'report' | 'refuse' | 'off';
  inputSchema?: object;
  config?: object;
  'readonly-hint'?: boolean;
  'consequential-hint'?: boolean;
  'untrusted-content-hint'?: boolean;
  ontoolcall?: (event: ToolCallEvent) => void;
  'onwebmcp-ready'?: (event: Event) => void;
  'onwebmcp-diagnostic'?: (event: CustomEvent<ElementDiagnostic>) => void;
}

interface WebmcpParamProps {
  name?: string;
  type?: string;
  required?: boolean;
  description?: string;
  enum?: string;
  minimum?: string | number;
  maximum?: string | number;
  pattern?: string;
  default?: string;
  title?: string;
}

interface WebmcpInspectorProps {
  tool?: string;
  tab?: InspectorTab;
  'hide-log'?: boolean;
  strings?: Partial<InspectorStrings>;
  source?: InspectorSource;
  'onwebmcp-inspector-select'?: (event: CustomEvent<InspectorSelectDetail>) => void;
}

interface WebmcpReviewProps {
  for?: string;
  placement?: 'corner';
  strings?: Partial<Record<ReviewString, string>>;
  'onwebmcp-review-approve'?: (event: CustomEvent<ReviewEventDetail>) => void;
  'onwebmcp-review-edit'?: (event: CustomEvent<ReviewEventDetail>) => void;
  'onwebmcp-review-undo'?: (event: CustomEvent<ReviewEventDetail>) => void;
}

declare module 'react' {
  interface FormHTMLAttributes<T> extends ToolAttributes {}
  interface InputHTMLAttributes<T> extends ToolParamAttributes {}
  interface SelectHTMLAttributes<T> extends ToolParamAttributes {}
  interface TextareaHTMLAttributes<T> extends ToolParamAttributes {}
  interface FieldsetHTMLAttributes<T> extends ToolParamAttributes {}
  interface OptionHTMLAttributes<T> extends ToolParamAttributes {}

  namespace JSX {
    interface IntrinsicElements {
      'webmcp-tool': ElementProps<WebmcpTool, WebmcpToolProps>;
      'webmcp-param': ElementProps<WebmcpParam, WebmcpParamProps>;
      'webmcp-inspector': ElementProps<WebmcpInspector, WebmcpInspectorProps>;
      'webmcp-review': ElementProps<WebmcpReview, WebmcpReviewProps>;
    }
  }
}
