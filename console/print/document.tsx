/** A document on paper: the same content on A4, Letter, a 100 x 150 mm label and an 80 mm receipt. */
import { PrintedCode } from './code.tsx';
import type { Branding, Fact, PrintDocument, PrintTable } from './documents.ts';
import { PAPERS, type Paper } from './paper.ts';

export function PrintedDocument({
  content,
  paper,
  branding = {},
}: {
  content: PrintDocument;
  paper: Paper;
  branding?: Branding;
}) {
  const {
    title,
    number,
    code,
    big,
    facts,
    addresses = [],
    tables,
    totals = [],
    notes = [],
    signatures = [],
    returnLabel,
  } = content;
  const { widthMm, marginMm } = PAPERS[paper];
  const inner = widthMm - 2 * marginMm;
  return (
    <article class={`print-page print-document ${paper.toLowerCase()}`} lang={content.language}>
      <header>
        <div>
          {branding.logoUrl !== undefined && <img class="print-logo" src={branding.logoUrl} alt="" />}
          {branding.header !== undefined && <p class="print-brand">{branding.header}</p>}
          <h1>{title}</h1>
          <p class="print-number">{number}</p>
        </div>
        <PrintedCode code={code} widthMm={Math.min(90, inner)} heightMm={12} />
      </header>
      {big !== undefined && big !== '' && <p class="print-big">{big}</p>}
      <Facts of={facts} />
      <Addresses of={addresses} />
      {tables.map((table) => (
        <Table of={table} />
      ))}
      {totals.length > 0 && (
        <div class="print-totals">
          <Facts of={totals} />
        </div>
      )}
      {notes.map((note) => (
        <p class="print-note">{note}</p>
      ))}
      {signatures.map((name) => (
        <p class="print-signature">{name}</p>
      ))}
      {branding.returnText !== undefined && <p class="print-note">{branding.returnText}</p>}
      {branding.footer !== undefined && <footer>{branding.footer}</footer>}
      {returnLabel !== undefined && (
        <section class="print-return">
          <h2>{returnLabel.title}</h2>
          <Addresses of={returnLabel.addresses} />
          <PrintedCode code={returnLabel.code} widthMm={Math.min(90, inner)} heightMm={12} />
        </section>
      )}
    </article>
  );
}

function Addresses({ of }: { of: NonNullable<PrintDocument['addresses']> }) {
  if (of.length === 0) return null;
  return (
    <div class="print-addresses">
      {of.map(({ title, lines }) => (
        <address>
          <strong>{title}</strong>
          {lines.map((line) => (
            <span>{line}</span>
          ))}
        </address>
      ))}
    </div>
  );
}

function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl class="print-facts">
      {of.map(({ name, value }) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Table({ of: { title, columns, rows } }: { of: PrintTable }) {
  const look = (at: number) => (columns[at]?.isNumber === true ? 'number' : undefined);
  return (
    <table>
      {title !== undefined && <caption>{title}</caption>}
      <thead>
        <tr>
          {columns.map(({ name }, at) => (
            <th scope="col" class={look(at)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell, at) => (
              <td class={look(at)}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
