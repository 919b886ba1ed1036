import { h } from 'vue';
import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { loadLiveExamples } from './live-examples.js';
import { updateMainLandmark } from './main-landmark.js';
import { onEachPage } from './page-changes.js';
import './style.css';

const PageSteps = onEachPage(() => {
  updateMainLandmark();
  void loadLiveExamples();
});

const siteTheme: Theme = {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'layout-bottom': () => h(PageSteps) }),
};

export default siteTheme;
