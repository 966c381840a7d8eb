/** Refunds: the amounts that the OMS must pay back to customers, and the result that it reported for each. */
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { at, href, setQuery } from '../router.ts';
import { ownClient } from '../session.ts';
import { dateTime, money, o, returnTexts, t, word } from '../texts/index.ts';
import { Empty } from '../ui/load.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Page, PagedTable, usePages } from './page.tsx';
import { RespondDialog } from './refund-row.tsx';
import { ReturnState } from './return-state.tsx';
import { hasAllNodes, type ListedRefund, REFUND_STATES, type Refund, refundPath } from './returns-data.ts';

export default function Refunds({ query }: ScreenProps) {
  if (hasAllNodes()) return <AllRefunds query={query} />;
  const texts = returnTexts();
  return (
    <Page title={texts.refunds} backTo={{ to: href('/office/returns'), label: t().nav.returns }}>
      <Empty title={texts.refundsNeedAll}>{texts.refundsNeedAllHint}</Empty>
    </Page>
  );
}

function AllRefunds({ query }: Pick<ScreenProps, 'query'>) {
  const texts = returnTexts();
  const status = query.get('status') ?? 'DUE';
  const [open, setOpen] = useState<Refund | undefined>();
  const pages = usePages(`refunds ${ownClient()} ${status}`, async (after, signal) => {
    const asked = new URLSearchParams({
      limit: '100',
      ...(status !== 'ALL' && { status }),
      ...(after !== undefined && { after }),
    });
    const path = `${refundPath()}?${asked}`;
    const { refunds, next } = await call<{ refunds: ListedRefund[]; next?: string }>('GET', path, { signal });
    return { rows: refunds, next };
  });
  return (
    <Page
      title={texts.refunds}
      sub={texts.refundsHint}
      backTo={{ to: href('/office/returns'), label: t().nav.returns }}
    >
      <StatusChips chosen={status} />
      <PagedTable
        of={pages}
        caption={texts.refunds}
        csvName="refunds"
        keyOf={({ refundId }) => refundId}
        onOpen={setOpen}
        empty={{ title: texts.noRefunds, hint: texts.noRefundsHint }}
        columns={[
          {
            title: texts.amount,
            isNumber: true,
            show: (one) => <span class="strong">{money(one.amount, one.currency)}</span>,
            csv: (one) => one.amount,
          },
          { title: o().stores.currency, csv: (one) => one.currency },
          { title: texts.state, show: (one) => <ReturnState of={one.status} />, csv: (one) => one.status },
          {
            title: texts.one,
            show: (one) => (
              <a href={href(at('office', 'returns', one.storeId, one.number))}>{texts.called(one.number)}</a>
            ),
            csv: (one) => one.number,
          },
          // The number of a return is unique only in its web store.
          { title: o().orders.store, csv: (one) => one.storeId },
          {
            title: texts.customer,
            show: (one) => one.customerName ?? <span class="quiet">–</span>,
            csv: (one) => one.customerName ?? '',
          },
          {
            title: o().orders.order,
            show: (one) => <OrderLink of={one} />,
            csv: (one) => one.fulfillmentOrderId,
          },
          { title: texts.due, show: (one) => dateTime(one.dueAt), csv: (one) => one.dueAt },
          { title: texts.reference, show: (one) => one.reference ?? one.failure, csv: (one) => one.reference ?? '' },
          { title: texts.failure, csv: (one) => one.failure ?? '' },
        ]}
      />
      {open !== undefined && (
        <RespondDialog
          refund={open}
          onClose={(isDone) => {
            setOpen(undefined);
            if (isDone) pages.reload();
          }}
        />
      )}
    </Page>
  );
}

function StatusChips({ chosen }: { chosen: string }) {
  const texts = returnTexts();
  return (
    <fieldset class="chips">
      <legend class="visually-hidden">{texts.state}</legend>
      {[...REFUND_STATES, 'ALL'].map((one) => (
        <button
          type="button"
          class="chip"
          aria-pressed={one === chosen ? 'true' : 'false'}
          onClick={() => setQuery({ status: one })}
        >
          {one === 'ALL' ? texts.anyState : word(texts.refundStates, one)}
        </button>
      ))}
    </fieldset>
  );
}

function OrderLink({ of: { storeId, fulfillmentOrderId } }: { of: Refund }) {
  return (
    <a class="code" href={href(at('office', 'orders', storeId, fulfillmentOrderId))}>
      {fulfillmentOrderId}
    </a>
  );
}
