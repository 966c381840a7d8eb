/** The item master. */

export interface ItemRow {
  client_id: string;
  item_id: string;
  revision: number;
  doc: string;
  created_at: number;
  updated_at: number;
  /** Form of its rows of item_terms; 0: it has none yet. */
  term_form: number;
}

/** A word or code by which an item is found. */
export interface ItemTermRow {
  client_id: string;
  term: string;
  item_id: string;
}

export interface ItemsTables {
  items: ItemRow;
  item_terms: ItemTermRow;
}
