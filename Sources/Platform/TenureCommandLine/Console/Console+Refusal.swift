package import TenureCore
import TenureFormats

/// Prints a refusal; the text contains each reason with its remedy.
extension Console {
    package func answer(refusal: Refusal, asJSON: Bool) {
        if asJSON {
            answer { body in
                body.member("error", refusal.first.message)
                body.refusal(refusal)
            }
        } else {
            for reason in refusal.reasons { fail("\(reason.message) \(reason.cure) [\(reason.code)]") }
        }
    }
}
