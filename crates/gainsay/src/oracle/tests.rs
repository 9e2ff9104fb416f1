//! What must not accuse, and what must.
