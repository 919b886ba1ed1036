// The types of the package declare a default export of an ES module, but it is a CommonJS module.
declare module 'robots-parser' {
  interface Robots {
    isDisallowed(url: string, userAgent: string): boolean | undefined;
    getCrawlDelay(userAgent: string): number | undefined;
    getSitemaps(): string[];
  }
  function robotsParser(url: string, text: string): Robots;
  export = robotsParser;
}
