/** A sheet of badges to print: cards of the size of a bank card on A4, each with a Code 128 of its badge. */
import { toSVG } from 'bwip-js/node';
import { escaped } from '../web/html-page.ts';

export interface Card {
  userId: string;
  name: string;
  /** Text of the bar code. */
  badge: string;
}

/** Size of a card of ISO 7810 ID-1: 85.60 mm by 53.98 mm. Ten cards fit on A4. */
const STYLE = `@page { size: A4; margin: 13mm 19mm; }
* { box-sizing: border-box; margin: 0; }
body { font: 10pt/1.3 system-ui, sans-serif; color: #000; }
main { display: grid; grid-template-columns: repeat(2, 85.6mm); }
article { width: 85.6mm; height: 53.98mm; padding: 5mm; border: 0.2mm dashed #999; break-inside: avoid; display: flex; flex-direction: column; justify-content: space-between; overflow: hidden; }
h1 { font-size: 14pt; line-height: 1.15; overflow-wrap: anywhere; max-height: 2.3em; overflow: hidden; }
p { font-size: 9pt; overflow-wrap: anywhere; }
svg { display: block; width: 75mm; height: 17mm; }
@media screen { body { padding: 8mm; } }`;

/** The page. It loads no files and runs no scripts. */
export function badgeSheet(title: string, cards: readonly Card[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${cards.map(cardOf).join('\n')}
</main>
</body>
</html>
`;
}

function cardOf({ userId, name, badge }: Card): string {
  return `<article><div><h1>${escaped(name)}</h1><p>${escaped(userId)}</p></div>${barCode(badge)}</article>`;
}

/** Returns the bar code without its text. The text is left out, because the badge is a secret that is only scanned. */
function barCode(text: string): string {
  const svg = toSVG({ bcid: 'code128', text, scale: 2, height: 17, paddingwidth: 10 });
  return svg.replace('<svg ', '<svg role="img" aria-label="Badge" preserveAspectRatio="none" ');
}
