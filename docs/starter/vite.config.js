import { defineConfig } from 'vite';
import { webmcpForms } from 'webmcp-forms/vite';

export default defineConfig({
  plugins: [webmcpForms({ inject: true })],
});
