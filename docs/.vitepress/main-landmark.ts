const content = /(<div [^>]*\bid="VPContent")/;

/** Marks the content as the main landmark in pages whose layout, such as `home`, has no `<main>`. */
export const markMain = (html: string): string =>
  html.includes('<main') ? html : html.replace(content, '$1 role="main"');
