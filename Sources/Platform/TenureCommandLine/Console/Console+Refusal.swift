package import TenureCore
import TenureFormats

extension Console {
    /// Prints a refusal: as JSON in the answer, or as one line for each reason, with its remedy, on the error output.
    package func answer(refusal: Refusal, asJSON: Bool) {
        if asJSON {
            answer { body in
                body.member("error", refusal.first.message)
                body.refusal(refusal)
            }
        } else {
            for reason in refusal.reasons {
                fail("\(reason.message.withLocalDates) \(reason.cure.withLocalDates) [\(reason.code)]")
            }
        }
    }
}
