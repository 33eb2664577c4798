import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension KeylightDialect {
    /// The seat is free afterwards, whoever asks and however often: an unknown instance is one that holds no seat.
    func respondToDeactivate(_ request: Request, _ product: Product) async throws(KeylightFailure) -> Response {
        let body = try KeylightBody(request)
        let instance = try body.required("instance_id")
        if let activation = ActivationID(text: instance) {
            do throws(ServerError) {
                _ = try await deactivate(activation, of: product.ref, by: .device)
            } catch {
                throw KeylightFailure(error)
            }
        }
        return .json(JSONWriter.object { $0.member("deactivated", true) })
    }
}
