/**
 * Count plans of the node, sorted by state: the plans that users must count come first. A lead creates a plan from a
 * rule.
 */
import { ClipboardList, Plus } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, newId } from '../../api.ts';
import { useChoices } from '../../choices.ts';
import { go, href } from '../../router.ts';
import { may, place } from '../../session.ts';
import { leadTexts, number, word } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Choices, SelectField, TextField } from '../../ui/field.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { watchWork, work } from '../../work/node-work.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { makePlan, PLAN_RULES, type PlanSummary, readPlans, SECOND_COUNTS } from './plan-data.ts';
import { PlanState, planName, planScreen } from './plan-name.tsx';

export default function CountPlans() {
  const { plans: texts } = leadTexts();
  const [isNew, setNew] = useState(false);
  // Reads the work of the node, because the head shows the name of the node, also after a reload of this screen.
  useEffect(watchWork, []);
  // The names of plans need the time zone of the node.
  useChoices();
  const loaded = useLoad(`plans ${place.value!.nodeId}`, readPlans);
  const make = may('stock.adjust') && (
    <Button look="main" isWide icon={Plus} onClick={() => setNew(true)}>
      {texts.make}
    </Button>
  );
  return (
    <Screen
      title={texts.title}
      sub={work.value?.name ?? place.value?.nodeId}
      onBack={() => go('/stock')}
      tools={<SyncState />}
      {...(make !== false && { actions: make })}
    >
      <Show of={loaded}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={ClipboardList} title={texts.none}>
              {may('stock.adjust') ? texts.noneHint : texts.noneHintOthers}
            </Empty>
          ) : (
            <ul class="list" aria-label={texts.title}>
              {rows.map((plan) => (
                <li key={plan.planId}>
                  <PlanRow of={plan} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {isNew && <NewPlan onClose={() => setNew(false)} />}
    </Screen>
  );
}

function PlanRow({ of }: { of: PlanSummary }) {
  const { plans } = leadTexts();
  const { lines, counted, countAgain } = of.totals;
  return (
    <a class="row" href={href(planScreen(of.planId))}>
      <span class="grow stack tight">
        <span class="strong">{planName(of)}</span>
        <span class="inline">
          <PlanState of={of} />
          {of.state === 'OPEN' && countAgain > 0 && <span class="small quiet">{plans.again(countAgain)}</span>}
        </span>
      </span>
      <span class="stock-sum">
        <span class="big">{number(lines)}</span>
        <span class="small quiet">{of.state === 'OPEN' ? plans.countedOf(counted, lines) : plans.lines(lines)}</span>
      </span>
    </a>
  );
}

const SIZES = [10, 25, 50, 100, 200];

function NewPlan({ onClose }: { onClose: () => void }) {
  const { plans } = leadTexts();
  const id = useRef(newId());
  const [wish, setWish] = useState({ name: '', rule: 'MOVED_MOST', bins: '', maxItems: 25, secondCount: 'DIFFERENT' });
  const set = (change: Partial<typeof wish>) => {
    // A plan with other content is another plan, so it gets a new id.
    id.current = newId();
    setWish({ ...wish, ...change });
  };
  const bins = wish.bins.split(/[\s,;]+/).filter((bin) => bin !== '');
  const blocked = wish.rule === 'BINS' && bins.length === 0 ? plans.binsMissing : undefined;
  const make = useAction(async () => {
    if (blocked !== undefined) return;
    const { planId } = await makePlan({ ...wish, name: wish.name.trim(), bins }, id.current);
    go(planScreen(planId));
  });
  const isEmpty = make.error instanceof ApiError && make.error.errors.some(({ rule }) => rule === 'nothing');
  return (
    <AskDialog
      title={plans.make}
      onClose={onClose}
      act={wish.rule === 'ITEMS' ? plans.chooseNone : plans.choose}
      isBusy={make.isBusy}
      blocked={blocked}
      onAct={() => void make.run()}
      takesEnter
    >
      {isEmpty ? (
        <Notice look="wrong" title={plans.noItems} />
      ) : (
        make.error !== undefined && <ErrorNotice error={make.error} />
      )}
      <Choices
        label={plans.rule}
        value={wish.rule}
        onInput={(rule) => set({ rule })}
        options={PLAN_RULES.map((value) => ({ value, label: word(plans.rules, value) }))}
      />
      {wish.rule === 'BINS' && (
        <TextField
          label={plans.bins}
          hint={plans.binsHint}
          value={wish.bins}
          onInput={(value) => set({ bins: value })}
        />
      )}
      {wish.rule !== 'ITEMS' && (
        <SelectField
          label={plans.size}
          value={String(wish.maxItems)}
          onInput={(value) => set({ maxItems: Number(value) })}
          options={SIZES.map((size) => ({ value: String(size), label: number(size) }))}
        />
      )}
      <SelectField
        label={plans.second}
        value={wish.secondCount}
        onInput={(secondCount) => set({ secondCount })}
        options={SECOND_COUNTS.map((value) => ({ value, label: word(plans.seconds, value) }))}
      />
      <TextField
        label={plans.name}
        hint={plans.nameHint}
        value={wish.name}
        maxLength={80}
        onInput={(name) => set({ name })}
      />
    </AskDialog>
  );
}
