declare module 'vue/dist/vue.esm-bundler.js' {
  export * from 'vue';
}
