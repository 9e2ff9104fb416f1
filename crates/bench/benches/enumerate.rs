//! Speed of enumeration: `gainsay bench enumerate`.

fn main() -> anyhow::Result<()> {
    gainsay_bench::enumerate::run().map(|_| ())
}
