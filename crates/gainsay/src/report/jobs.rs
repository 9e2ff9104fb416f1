//! Job files that start workers on the machines of a cluster.

use crate::solver::id::shell_word;

/// Workers on a cluster, and what they may use.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The address of the campaign, without a password.
    pub store: String,
    /// How many workers there are.
    pub count: u32,
    /// Cores for each worker, which are its jobs.
    pub jobs: u32,
    /// Megabytes for each core.
    pub memory: u64,
    /// Hours after which workers end.
    pub hours: u32,
}

/// A job script for `sbatch`: an array of workers.
pub fn slurm(workers: &Workers) -> String {
    let Workers { store, count, jobs, memory, hours } = workers;
    let minutes = u64::from(*hours) * 60;
    // A worker that is told to stop before the end hands in what it has.
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=gainsay\n\
         #SBATCH --array=1-{count}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={jobs}\n\
         #SBATCH --mem-per-cpu={memory}M\n\
         #SBATCH --time={hours}:00:00\n\
         #SBATCH --signal=B:TERM@120\n\
         #SBATCH --requeue\n\
         # The password is read from ~/.pgpass, mode 600: host:port:database:user:password\n\
         set -eu\n\
         exec gainsay work --store {} --jobs {jobs} --for {}m --findings-are-fine\n",
        shell_word(store),
        minutes.saturating_sub(10).max(1)
    )
}

/// A Job for `kubectl apply -f -`: as many pods as workers. `image` has gainsay in it; the key `password` of the Secret is the
/// password of the database.
pub fn kubernetes(workers: &Workers, image: &str, secret: &str) -> String {
    let Workers { store, count, jobs, memory, hours } = workers;
    let text = |text: &str| serde_json::to_string(text).expect("a text is plain");
    let (cores, time) = (jobs.to_string(), format!("{hours}h"));
    // gainsay is the first process of its pod: a shell in between would not pass the signal to stop on.
    let command =
        ["gainsay", "work", "--store", store, "--jobs", &cores, "--for", &time, "--findings-are-fine"];
    format!(
        "apiVersion: batch/v1\n\
         kind: Job\n\
         metadata:\n  \
           name: gainsay\n\
         spec:\n  \
           parallelism: {count}\n  \
           completions: {count}\n  \
           completionMode: Indexed\n  \
           backoffLimit: {}\n  \
           activeDeadlineSeconds: {}\n  \
           template:\n    \
             spec:\n      \
               restartPolicy: OnFailure\n      \
               terminationGracePeriodSeconds: 120\n      \
               containers:\n      \
               - name: gainsay\n        \
                 image: {}\n        \
                 command: [{}]\n        \
                 env:\n        \
                 - name: PGPASSWORD\n          \
                   valueFrom:\n            \
                     secretKeyRef:\n              \
                       name: {}\n              \
                       key: password\n        \
                 - name: GAINSAY_HOME\n          \
                   value: /gainsay\n        \
                 resources:\n          \
                   requests: {{cpu: \"{jobs}\", memory: {total}Mi}}\n          \
                   limits: {{cpu: \"{jobs}\", memory: {total}Mi}}\n        \
                 volumeMounts:\n        \
                 - name: home\n          \
                   mountPath: /gainsay\n      \
               volumes:\n      \
               - name: home\n        \
                 emptyDir: {{}}\n",
        count * 10,
        u64::from(*hours) * 3600 + 600,
        text(image),
        command.map(text).join(", "),
        text(secret),
        total = memory * u64::from(*jobs),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_files_have_no_password_and_all_limits() {
        let store = "postgres://lab@db.example/solvers#it_s".to_owned();
        let workers = Workers { store, count: 3, jobs: 8, memory: 1000, hours: 2 };
        let told = slurm(&workers);
        for line in [
            "#SBATCH --array=1-3",
            "#SBATCH --cpus-per-task=8",
            "#SBATCH --time=2:00:00",
            "exec gainsay work --store 'postgres://lab@db.example/solvers#it_s' --jobs 8 --for 110m --findings-are-fine",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
        let told = kubernetes(&workers, "lab/gainsay:1", "store");
        for line in [
            "  parallelism: 3",
            "        image: \"lab/gainsay:1\"",
            "        command: [\"gainsay\", \"work\", \"--store\", \"postgres://lab@db.example/solvers#it_s\", \"--jobs\", \"8\", \
             \"--for\", \"2h\", \"--findings-are-fine\"]",
            "              name: \"store\"",
            "          limits: {cpu: \"8\", memory: 8000Mi}",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
    }
}
