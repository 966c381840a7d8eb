-- Signature or photo of the person who took the goods: kind, media type, and the picture as sealed base64.
alter table hand_overs add column proof_kind text;
alter table hand_overs add column proof_type text;
alter table hand_overs add column proof_cipher text;
