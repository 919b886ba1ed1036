/** Marks the content as the main landmark in pages whose layout has no `<main>`, as the built pages are marked. */
export function updateMainLandmark(): void {
  const content = document.getElementById('VPContent');
  if (content?.querySelector('main')) content.removeAttribute('role');
  else content?.setAttribute('role', 'main');
}
