import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension OrderTask {
    /// The writes of the letters that a change of the order causes. While the tenant sends no letters, they are stored
    /// as held.
    func letters(after licenses: LicenseWrites, _ record: OrderRecord, _ catalog: Catalog) -> [RowWrite] {
        newLetter(licenses, record, catalog) + unsentLetters(licenses, record, catalog)
    }

    /// The letter with the keys of the licenses that were issued.
    private func newLetter(_ licenses: LicenseWrites, _ record: OrderRecord, _ catalog: Catalog) -> [RowWrite] {
        guard let id = MailID(firstOf: licenses.issued.map(\.id).min()), !record.letters.contains(id) else { return [] }
        return letter(id, with: licenses.issued, catalog)?.sending ?? []
    }

    /// The letters that weren't sent because the order had suspended their licenses, and that can be sent now that a
    /// suspension has ended.
    private func unsentLetters(_ licenses: LicenseWrites, _ record: OrderRecord, _ catalog: Catalog) -> [RowWrite] {
        record.earlierLetters.flatMap { unsent -> [RowWrite] in
            guard unsent.state == .superseded, unsent.licenses.contains(where: { licenses.lifted.contains($0.license) })
            else { return [] }
            let open = unsent.licenses.compactMap { licenses.latest($0.license) }.filter(\.recordedState.isOpen)
            let job = record.letterJobs[Mail.jobID(of: unsent.id).text]
            return letter(unsent.id, with: open, catalog)?.sending(inPlaceOf: unsent, over: job) ?? []
        }
    }

    private func letter(_ id: MailID, with licenses: [License], _ catalog: Catalog) -> Mail? {
        Mail.keys(of: licenses, id, from: catalog.tenants[message.tenant], isHeldWithoutSender: true, at: now)
    }
}
