//! Statements that change records of a folder: they run in an image of them, and what they have made of it is written.

use super::{ChangeRunner, Failed, output};
use crate::catalog::DatabaseKind;
use crate::engine::changed::Commit;
use crate::engine::error::CallError;
use crate::engine::runners::records::{
    Through, accounted, check_contract, moment_of, off_thread, store_over, writer_until,
};
use crate::engine::runners::{Order, RunOutput};
use crate::engine::sources::{Databases, SourceError, Transaction, Work};
use crate::project::record_ddl::{Image, create_image};
use crate::records::acts::Author;
use crate::tool::{ChangedRecords, RecordStore};

impl ChangeRunner {
    /// Does it once, while nobody else writes into the folder.
    pub(super) async fn attempt_in_folder(
        &self,
        order: Order<'_>,
        (records, actor): (&ChangedRecords, &str),
    ) -> Result<RunOutput, Failed> {
        let place = self.core.records.get(&records.folder).ok_or_else(|| CallError::internal("no folder"))?;
        check_contract(place, (&records.folder, &records.contract)).await?;
        let unread = |error| CallError::internal(format!("the records cannot be copied: {error}"));
        let place = place.open().map_err(unread)?;
        let (folder, contract, until) = (place.folder.clone(), records.contract.clone(), writer_until());
        let held = off_thread(move || folder.hold(&contract, until)).await?;

        let (databases, mut transaction) = self.image(order, records).await?;
        let store = RecordStore {
            source: records.name.clone(),
            database: DatabaseKind::Sqlite,
            table: vec![records.name.clone()],
            // Nothing is told there.
            history: vec![records.name.clone()],
            columns: Default::default(),
        };
        let at = moment_of(order);
        let nothing_lasts = Commit::default();
        let author = Author { actor, at: &at };
        let store = store_over((&store, &records.contract), &databases, (&records.name, &nothing_lasts), author);
        store.fill(transaction.as_mut(), held.records()).await?;
        let changed = self.in_transaction(order, (transaction.as_mut(), &databases), &mut Vec::new()).await?;
        let after = store.records(&mut Through::Transaction(transaction.as_mut()), None).await?;
        drop(transaction);

        let mut there = held.records().clone();
        let events = accounted(&store, &mut there, &after)?;
        if !order.call.dry_run {
            // From here on nobody can say that nothing was written, until it is known.
            if !order.call.commit.begin() {
                return Err(CallError::internal("the call was given up before its change was made to last").into());
            }
            let written = off_thread(move || place.folder.put(&held, &there, &events)).await;
            if !matches!(written, Ok(true)) {
                order.call.commit.refused();
            }
            if !written? {
                // Somebody has written who takes no lock: all is read and done again.
                return Err(SourceError::Serialization { source: records.name.clone() }.into());
            }
        }
        Ok(output(changed))
    }

    /// A table of the records that nobody else has, and a transaction in it.
    async fn image(
        &self,
        order: Order<'_>,
        records: &ChangedRecords,
    ) -> Result<(Databases, Box<dyn Transaction>), Failed> {
        let ddl = create_image(&records.contract, &records.name, Image::Lenient);
        let databases = Databases::image(&records.name, &ddl).map_err(CallError::internal)?;
        let work = Work {
            isolation: self.change.isolation,
            targets: self.targets.clone(),
            session: Vec::new(),
            deadline: order.call.deadline,
        };
        let transaction = databases.begin(&records.name, work).await?;
        Ok((databases, transaction))
    }
}
