// 16-bit floats by another name; NAMESPACE, NAME and TYPE come from `index.txt`.
namespace NAMESPACE {
typedef TYPE NAME;
}
