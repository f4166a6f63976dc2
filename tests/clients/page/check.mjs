// Reads the page that `qtool review --html` writes in a real browser: `node check.mjs PAGE CHROMIUM WORD…`. Every WORD must
// be seen; nothing is asked for from elsewhere, runs a script, overflows, or is too faint to read.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [page, executablePath, ...words] = process.argv.slice(2);
const url = pathToFileURL(page).href;
// As root, Chromium does not start with its sandbox.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const width of [400, 1600]) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `${width} px, ${colorScheme}`;
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const tab = await context.newPage();
      const heard = [];
      tab.on("console", (message) => heard.push(message.text()));
      tab.on("pageerror", (error) => heard.push(String(error)));
      tab.on("request", (request) => request.url() === url || heard.push(`asks for ${request.url()}`));
      await tab.goto(url);
      const seen = await tab.evaluate(() => document.body.innerText);
      for (const word of words) assert(seen.includes(word), `${where}: ${word} is not to be seen`);
      assert.equal(await tab.locator("script").count(), 0, `${where}: there is a script`);
      assert.equal(await tab.locator("main").count(), 1, `${where}: one main part`);
      assert.equal(await tab.locator("h1").count(), 1, `${where}: one title`);
      await tab.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
      const { inner, outer } = await tab.evaluate(() => ({
        inner: document.documentElement.scrollWidth,
        outer: document.documentElement.clientWidth,
      }));
      assert(inner <= outer, `${where}: the page is ${inner} px wide`);
      const faintest = await tab.evaluate(() => {
        // Contrast as WCAG 2.2 has it, 1.4.3.
        const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
        const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
        const colour = (text) => text.match(/[\d.]+/g).map(Number);
        let worst = [21, ""];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.textContent.trim()) continue;
          let ground = [255, 255, 255];
          for (let at = element; at; at = at.parentElement) {
            const found = colour(getComputedStyle(at).backgroundColor);
            if (found.length < 4 || found[3] === 1) {
              ground = found;
              break;
            }
          }
          const [a, b] = [light(colour(getComputedStyle(element).color)), light(ground)];
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < worst[0]) worst = [ratio, walker.currentNode.textContent.trim().slice(0, 40)];
        }
        return worst;
      });
      assert(faintest[0] >= 4.5, `${where}: ${faintest[1]} has a contrast of ${faintest[0].toFixed(2)}`);
      assert.deepEqual(heard, [], where);
      await context.close();
    }
  }
} finally {
  await browser.close();
}
console.log("review page: read at 400 and 1600 px, light and dark");
