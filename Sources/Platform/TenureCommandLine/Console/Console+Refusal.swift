package import TenureCore
import TenureFormats

extension Console {
    /// Prints a refusal: as JSON in the answer, or as one line for each reason, with its remedy, on the error output.
    ///
    /// The remedies are those for the vendor, who runs the command.
    ///
    /// - Parameter license: The argument that names the license in the remedies' commands.
    package func answer(refusal: Refusal, of license: String = "LICENSE", asJSON: Bool) {
        let refusal = refusal.forVendor(of: license)
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
