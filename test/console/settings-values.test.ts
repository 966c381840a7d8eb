/** The numbers that a user types into the settings form of a client. */
import { describe, expect, it } from 'vitest';
import { settingsOf, valuesOf } from '../../console/office/settings-values.ts';

/** Returns the settings that the form saves for typed texts. */
function saved(typed: { pickup?: string; lines?: string; share?: string; length?: string }) {
  const { pickup = '', lines = '', share = '', length = '1' } = typed;
  const box = { name: 'Small', length, width: '1', height: '1', sizeUnit: 'IN', weight: '', weightUnit: '' };
  const settings = settingsOf(
    {},
    {
      ...valuesOf({}),
      minutes: { CUSTOMER_PICKUP: pickup },
      targets: { linesPerHour: lines, shortPercent: share, late: '' },
      boxes: [box],
    },
  );
  const { slaMinutes, targets, boxes } = settings;
  return {
    pickup: slaMinutes?.CUSTOMER_PICKUP,
    lines: targets?.linesPerHour,
    share: targets?.shortPercent,
    length: boxes?.[0]?.length,
  };
}

describe('a number in the settings form', () => {
  it.each(['10,000', '10.000', '1.5', '10 000', '1e3'])(
    'that is whole and typed as %s is sent as the text, because its separator can be that of thousands',
    (typed) => {
      expect(saved({ pickup: typed, lines: typed })).toMatchObject({ pickup: typed, lines: typed });
    },
  );

  it('that is whole is sent as a number', () => {
    expect(saved({ pickup: ' 10080 ', lines: '60' })).toMatchObject({ pickup: 10_080, lines: 60 });
  });

  it('with decimals has a point or a comma, but no comma that can separate thousands', () => {
    expect(saved({ share: '0,125', length: '10,5' })).toMatchObject({ share: 0.125, length: 10.5 });
    expect(saved({ share: '2.5', length: '1.125' })).toMatchObject({ share: 2.5, length: 1.125 });
    expect(saved({ length: '1,250' })).toMatchObject({ length: '1,250' });
  });
});
