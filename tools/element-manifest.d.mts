/** The custom elements manifest of the package, as text: https://github.com/webcomponents/custom-elements-manifest */
export function elementManifest(): string;
