export const styles = `
:host {
  all: initial;
  position: fixed;
  inset: auto 16px 16px auto;
  z-index: 99998; /* below the overlay of Vite */
  color-scheme: light dark;
  font: 14px/1.45 system-ui, sans-serif;
  color: light-dark(#1c2430, #e6eaf0);
}
section, .tab {
  background: light-dark(#fff, #1b212b);
  border: 1px solid light-dark(#c9d1dc, #414c5c);
  border-radius: 10px;
  box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
}
section {
  display: flex;
  flex-direction: column;
  width: min(380px, 100vw - 32px);
  max-height: min(460px, 100vh - 32px);
  overflow: hidden;
}
header {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  padding: 10px 14px;
  border-bottom: 1px solid light-dark(#e1e6ed, #333d4b);
}
h2 { margin: 0; font-size: 14px; font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; overflow: auto; }
li { padding: 12px 14px; }
li + li { border-top: 1px solid light-dark(#e1e6ed, #333d4b); }
p { margin: 0; overflow-wrap: anywhere; }
.place { color: light-dark(#566173, #a2adbd); font: 12px/1.45 ui-monospace, monospace; }
.title { font-weight: 600; }
.warning .title { color: light-dark(#8a4b00, #ffb454); }
code {
  display: block;
  margin-top: 8px;
  padding: 8px;
  max-height: 84px;
  overflow: auto;
  overflow-wrap: anywhere;
  border-radius: 6px;
  background: light-dark(#f1f4f8, #10151c);
  font: 12px/1.45 ui-monospace, monospace;
  user-select: all;
}
.actions { display: flex; gap: 8px; margin-top: 8px; }
.actions:empty, .status:empty { display: none; }
.status { margin-top: 6px; color: light-dark(#566173, #a2adbd); font-size: 13px; }
button {
  min-height: 30px;
  padding: 2px 12px;
  border: 1px solid light-dark(#c9d1dc, #414c5c);
  border-radius: 6px;
  background: light-dark(#fff, #262e3a);
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button:hover { background: light-dark(#f1f4f8, #303a48); }
button:focus-visible { outline: 2px solid light-dark(#1a5fb4, #7ab8ff); outline-offset: 2px; }
button:disabled { opacity: 0.6; cursor: default; }
.primary { border-color: transparent; background: light-dark(#1a5fb4, #7ab8ff); color: light-dark(#fff, #0b1a2c); }
.primary:hover { background: light-dark(#154c90, #9bcaff); }
.tab { min-height: 36px; padding: 4px 14px; border-radius: 18px; font-weight: 600; }
@media print { :host { display: none; } }
`;
