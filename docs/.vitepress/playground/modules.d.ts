declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export default component;
}

/** The bundled script of the frame, created by the plugin in `vite.ts`. */
declare module 'virtual:playground-frame' {
  export const frameScript: string;
}
