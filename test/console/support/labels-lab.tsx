/** The screen for labels on a separate page. */
import { render } from 'preact';
import LabelsPage from '../../../console/print/labels-page.tsx';
import { loadTexts, showLanguage } from '../../../console/texts/index.ts';

await Promise.all([showLanguage('en'), loadTexts('floor', 'desk')]);
render(<LabelsPage />, document.getElementById('app')!);
