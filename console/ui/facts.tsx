import { Fragment } from 'preact';

/** Shows names with their values. A fact without a value is left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: string | undefined])[] }) {
  return (
    <dl class="facts">
      {of.map(
        ([name, value]) =>
          value !== undefined && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
